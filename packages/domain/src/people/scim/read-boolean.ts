const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value that directories send as the only item of a list, or as the `value` of an object. */
const unwrapped = (value: unknown): unknown => {
  const item = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isObject(item) && Object.hasOwn(item, 'value') ? item.value : item;
};

/** Reads a boolean that may be sent as text (Entra ID sends `"False"`). Returns any other value as it is. */
export const readBoolean = (value: unknown): unknown => {
  const sent = unwrapped(value);
  if (typeof sent === 'boolean') return sent;
  return typeof sent === 'string' && /^(true|false)$/i.test(sent) ? sent.toLowerCase() === 'true' : value;
};
