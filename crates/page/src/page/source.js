// The source with its costs.
function sourceOf() { return null; }
