/** A value as JSON text; undefined where it lies deeper than can be written, as what some other program put into the record may. */
export const jsonTextOf = (value: object): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};
