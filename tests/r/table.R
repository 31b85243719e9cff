# A package of Debian's with regions in it.
library(data.table)
setDTthreads(2)

sorted <- function() {
  table <- data.table(number = sample(3e6))
  for (round in 1:5) {
    order <- table[order(number)] # region sorted
  }
}

sorted()
