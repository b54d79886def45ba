/**
 * The fields of an object that a program or a plugin has made, as a plain object. The object itself may be frozen, or of
 * a class with private fields, so it can neither be changed nor wrapped.
 */
export function plainObject<T extends object, F extends keyof T>(made: T, fields: readonly F[]): Pick<T, F> {
  const plain: Partial<Pick<T, F>> = {};
  for (const field of fields) {
    const value: unknown = made[field];
    if (value === undefined) continue;
    plain[field] = (typeof value === "function" ? value.bind(made) : value) as T[F];
  }
  return plain as Pick<T, F>;
}
