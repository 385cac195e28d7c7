/** Serializes a value as JSON; undefined if it is nested too deeply, as a record written by another program may be. */
export const writeJsonText = (value: object): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};
