/** With its zone, so that two people who compare what they see mean the same moment. */
export const formatTime = (at: string): string => new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
