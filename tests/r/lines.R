# Functions that call regions, from loops that R compiles and code that it does not.
dyn.load(Sys.getenv("SPIN"))

work <- function(seconds) {
  .Call("spin", seconds) # region work
}

other <- function(seconds) {
  .C("spin_c", as.double(seconds)) # region other
}

compiled <- function(rounds) {
  for (round in seq_len(rounds)) {
    work(0.02) # calls compiled
  }
}

applied <- function() {
  sapply(1:10, function(round) {
    other(0.02) # calls FUN
  })
}

own <- function() {
  sum <- 0
  for (round in 1:2000000) sum <- sum + sqrt(round)
  sum
}

compiled(20)
applied() # calls eval
own()
