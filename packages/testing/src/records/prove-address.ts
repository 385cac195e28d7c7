import type pg from 'pg';

/** Marks a person's address as proved: `signUp` alone proves nothing. */
export const proveAddress = async (client: pg.Client, { email }: { readonly email: string }): Promise<void> => {
  await client.query('update users set email_verified_at = now() where email = lower($1)', [email]);
};
