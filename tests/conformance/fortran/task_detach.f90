! detach and omp_fulfill_event: a task with an event is complete only when it was fulfilled, which
! another task does here; its handle is handed over by value.
! @compilers: gfortran — flang does not know detach
program task_detach
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: i, before, after
    integer(omp_event_handle_kind) :: event
    before = 0; after = 0
    !$omp parallel
    !$omp single
    do i = 1, 20
        !$omp task detach(event) depend(out: after) shared(before)
        !$omp atomic
        before = before + 1
        !$omp end task
        !$omp task firstprivate(event)
        call omp_fulfill_event(event)
        !$omp end task
        !$omp task depend(inout: after) shared(after)
        after = after + 1
        !$omp end task
        !$omp taskwait
    end do
    !$omp end single
    !$omp end parallel
    call check(before == 20, 'every body ran')
    call check(after == 20, 'every successor ran')
    call check_done()
contains
    include 'check.inc'
end program task_detach
