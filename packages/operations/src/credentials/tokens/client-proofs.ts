/** What a client of OAuth proves itself by; neither where it is public. */
export type ClientProofs = { readonly client_secret?: string | undefined; readonly private_key?: string | undefined };

/** As it is sealed in place of a secret. */
export const writeProofs = ({ client_secret, private_key }: ClientProofs): string => JSON.stringify({ client_secret, private_key });

export const readProofs = (text: string): ClientProofs => JSON.parse(text) as ClientProofs;
