import type pg from 'pg';

/** Counts the statements of one kind that write to a table from now on, by any writer and for any number of rows. */
export const countStatements = async (owner: pg.Client, table: string, kind: 'insert' | 'update' | 'delete') => {
  const name = `test_${kind}s_of_${table}`;
  await owner.query(`
    create sequence ${name};
    create function ${name}() returns trigger language plpgsql security definer as
      'begin perform nextval(''public.${name}''); return null; end';
    create trigger ${name} after ${kind} on ${table} for each statement execute function ${name}()`);
  return {
    count: async (): Promise<number> => {
      const { rows } = await owner.query(`select case when is_called then last_value else 0 end::int as n from ${name}`);
      return rows[0].n;
    },
    end: () => owner.query(`drop trigger ${name} on ${table}; drop function ${name}(); drop sequence ${name}`),
  };
};
