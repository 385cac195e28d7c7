import type { Planes } from './start-planes.ts';

/** Nothing may rest on notifications: with what sends them taken out of the database, everything still has to hold. */
export const cutNotifications = async (planes: Planes): Promise<void> => {
  const owner = await planes.database.client();
  for (const name of ['svc_bump_environment', 'svc_bump_agent']) {
    const { rows } = await owner.query<{ text: string }>('select pg_get_functiondef($1::regproc) as text', [name]);
    const cut = rows[0]?.text.replace(/\s*perform pg_notify\([^;]*;/, '') ?? '';
    if (cut.includes('pg_notify') || !cut.includes('update')) throw new Error(`${name} is not what it was taken for`);
    await owner.query(cut);
  }
  await owner.end();
};
