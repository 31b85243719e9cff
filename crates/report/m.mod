!mod$ v1 sum:a4c29c384725ad85
module m
contains
subroutine solve(a,n)
integer(4)::n
real(8)::a(1_8:int(n,kind=8))
end
end
