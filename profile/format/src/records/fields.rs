//! Makes a structure of a record's fields, with its encoding: one field after the other.

macro_rules! fields {
    ($(
        $(#[$doc:meta])*
        $name:ident $(<$life:lifetime>)? {
            $( $(#[$field_doc:meta])* $field:ident : $type:ty, )*
        }
    )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $name $(<$life>)? { $( $(#[$field_doc])* pub $field: $type, )* }

        impl<'a> $name $(<$life>)? {
            pub(super) fn encode(&self, sink: &mut $crate::wire::Sink<'_>) {
                $( $crate::wire::Field::put(&self.$field, sink); )*
            }

            pub(super) fn decode(source: &mut $crate::wire::Source<'a>) -> Option<Self> {
                Some($name { $( $field: $crate::wire::Field::get(source)?, )* })
            }
        }
    )* };
}

pub(super) use fields;
