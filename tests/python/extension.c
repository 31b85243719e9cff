/* A module of C that calls Python's code back from the threads of a region. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *each(PyObject *module, PyObject *arguments)
{
    long count;
    PyObject *call;
    int failed = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "lO", &count, &call))
        return NULL;
    PyThreadState *own = PyEval_SaveThread();
    #pragma omp parallel for reduction(| : failed)
    for (long i = 0; i < count; i++) {
        PyGILState_STATE state = PyGILState_Ensure();
        PyObject *result = PyObject_CallFunction(call, "l", i);
        failed |= !result;
        Py_XDECREF(result);
        PyGILState_Release(state);
    }
    PyEval_RestoreThread(own);
    if (failed) {
        PyErr_SetString(PyExc_RuntimeError, "a call failed");
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"each", each, METH_VARARGS, NULL}, {0}};
static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "extension", .m_size = -1, .m_methods = methods,
};

PyMODINIT_FUNC PyInit_extension(void)
{
    PyObject *module = PyModule_Create(&definition);
#ifdef Py_GIL_DISABLED
    PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
#endif
    return module;
}
