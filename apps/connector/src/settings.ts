/** A variable of the connector's own environment. */
export const readVariable = (name: string): string | undefined => process.env[name];
