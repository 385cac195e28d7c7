/** Client authentication of OAuth; neither member for a public client. */
export type ClientProofs = { readonly client_secret?: string | undefined; readonly private_key?: string | undefined };

/** Serializes client authentication to seal it in place of a secret. */
export const writeProofs = ({ client_secret, private_key }: ClientProofs): string => JSON.stringify({ client_secret, private_key });

export const readProofs = (text: string): ClientProofs => JSON.parse(text) as ClientProofs;
