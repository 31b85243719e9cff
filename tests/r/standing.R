# Stops in a region, with these functions on its stack.
dyn.load(Sys.getenv("SPIN"))

inner <- function() {
  .Call("stand") # standing inner
}

outer <- function() {
  for (round in 1:2) {
    inner() # standing outer
  }
}

outer()
