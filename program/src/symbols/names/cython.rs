//! Undoes the names that Cython makes from Python's: `__pyx_pw_3pkg_3mod_5Class_3method` is
//! `pkg.mod.Class.method`.

/// The function's name in the Python source; `None` for any other name.
pub(super) fn python_name(name: &str) -> Option<String> {
    let mut rest = name.strip_prefix("__pyx_")?;
    // A fused function: Cython makes one for each choice of its arguments' types.
    let mut fused = None;
    if let Some(behind) = rest.strip_prefix("fuse_") {
        let (numbers, function) = behind.split_once("__pyx_")?;
        fused = Some(numbers.trim_end_matches('_'));
        rest = function;
    }
    // A wrapper, the function that it wraps, or a C function.
    let of_python = rest.strip_prefix("pw_").or_else(|| rest.strip_prefix("pf_"));
    let mut path = match of_python {
        Some(path) => path,
        None => rest.strip_prefix("f_")?,
    };
    let mut parts: Vec<&str> = Vec::new();
    // In the name of a Python function, the number in front of the last part is no length.
    let goes_on =
        |behind: &str| of_python.is_none() || behind.starts_with(|c: char| c.is_ascii_digit());
    while let Some((part, behind)) = part(path).filter(|(_, behind)| goes_on(behind)) {
        parts.push(part);
        path = behind;
    }
    let own = if of_python.is_some() {
        path.trim_start_matches(|c: char| c.is_ascii_digit())
    } else {
        path
    };
    if parts.is_empty() || own.is_empty() {
        return None;
    }
    parts.push(own);
    let types = fused.map_or_else(String::new, |numbers| format!(" (types {numbers})"));
    Some(format!("{}{types}", parts.join(".")))
}

/// `3pkg_rest`: a part whose length is its number, and the rest.
fn part(path: &str) -> Option<(&str, &str)> {
    let digits = path.bytes().take_while(u8::is_ascii_digit).count();
    let length: usize = path[..digits].parse().ok()?;
    let part = path.get(digits..digits.checked_add(length)?)?;
    let behind = path.get(digits + length..)?.strip_prefix('_')?;
    (length > 0 && !behind.is_empty()).then_some((part, behind))
}

#[cfg(test)]
mod tests {
    use super::python_name;

    #[test]
    fn functions_have_their_names_in_python() {
        for (name, shown) in [
            (
                "__pyx_pw_7sklearn_8ensemble_23_hist_gradient_boosting_9histogram_\
                 16HistogramBuilder_3compute_histograms_brute",
                "sklearn.ensemble._hist_gradient_boosting.histogram.HistogramBuilder.\
                 compute_histograms_brute",
            ),
            (
                "__pyx_fuse_1__pyx_pw_7sklearn_7cluster_14_k_means_lloyd_7lloyd_iter_chunked_dense",
                "sklearn.cluster._k_means_lloyd.lloyd_iter_chunked_dense (types 1)",
            ),
            (
                "__pyx_f_7sklearn_8ensemble_23_hist_gradient_boosting_8_binning__map_col_to_bins",
                "sklearn.ensemble._hist_gradient_boosting._binning._map_col_to_bins",
            ),
            ("__pyx_pf_3mod_2run", "mod.run"),
            ("__pyx_pw_3mod_8Splitter_4find_node_split", "mod.Splitter.find_node_split"),
        ] {
            assert_eq!(python_name(name).as_deref(), Some(shown), "{name}");
        }
        for name in ["main", "__pyx_pw_", "__pyx_f_run", "__Pyx_PyObject_Call", "__pyx_pw_99mod_1f"]
        {
            assert_eq!(python_name(name), None, "{name}");
        }
    }
}
