const SHAPE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day that there is, written `YYYY-MM-DD`. Such texts sort as the days do. */
export const isCalendarDate = (text: string): boolean => {
  if (!SHAPE.test(text)) return false;
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
};
