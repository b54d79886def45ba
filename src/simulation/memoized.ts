/** A function that computes its result once for each object, and keeps it as long as there is the object. */
export function memoized<K extends object, V>(compute: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, V>();
  return (of) => {
    let value = known.get(of);
    if (value === undefined) known.set(of, (value = compute(of)));
    return value;
  };
}
