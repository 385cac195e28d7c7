import type pg from 'pg';

/** Somebody who signed up with `signUp` has proved nothing yet; this is as if they had by a mailed code. */
export const proveAddress = async (client: pg.Client, { email }: { readonly email: string }): Promise<void> => {
  await client.query('update users set email_verified_at = now() where email = lower($1)', [email]);
};
