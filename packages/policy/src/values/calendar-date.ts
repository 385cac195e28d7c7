const SHAPE = /^\d{4}-\d{2}-\d{2}$/;

/** Returns true if a text is an existing date, written `YYYY-MM-DD`. Such texts sort in order of the dates. */
export const isCalendarDate = (text: string): boolean => {
  if (!SHAPE.test(text)) return false;
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
};
