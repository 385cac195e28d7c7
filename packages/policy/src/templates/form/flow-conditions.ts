/** Returns the condition that the request could carry a label out. */
export const leaves = (label: string) => ({ field: 'session.labels_leaving', op: 'contains', value: label }) as const;
