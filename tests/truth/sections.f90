! Sections of a Fortran program, one of them longer; a single construct before them.
include 'truth.inc'

program main
  use truth_m
  double precision :: longer, shorter, alone, start
  integer :: k
  longer = 0
  shorter = 0
  alone = 0
  start = omp_get_wtime()
  !$omp parallel num_threads(2) private(k) ! mark: region, disease: imbalance
  do k = 1, 20
    !$omp single ! mark: single
    alone = alone + burn(0.004d0)
    !$omp end single
    !$omp sections ! mark: sections
    !$omp section
    longer = longer + burn(0.020d0)
    !$omp section
    shorter = shorter + burn(0.006d0)
    !$omp end sections
  end do
  !$omp end parallel
  call truth('work@region', longer + shorter + alone)
  call truth('time@single', alone)
  call truth('wait@sections', longer - shorter)
  call truth('instances@sections', 20d0)
  call truth('elapsed', omp_get_wtime() - start)
end program
