import type pg from 'pg';

/** Rows that one statement inserts. */
const STEP = 50_000;

/** Runs statements without triggers and foreign keys, which check what the rows are copied from anyway. */
const runBare = async (owner: pg.Client, work: () => Promise<void>): Promise<void> => {
  await owner.query('set session_replication_role = replica');
  await work();
  await owner.query('set session_replication_role = default');
};

const listColumns = async (owner: pg.Client, table: string): Promise<readonly string[]> =>
  (
    await owner.query<{ name: string }>(
      `select quote_ident(column_name) as name from information_schema.columns
        where table_schema = 'public' and table_name = $1 and is_identity = 'NO' and is_generated = 'NEVER'`,
      [table],
    )
  ).rows.map(({ name }) => name);

/** Copies one row of a table with other values in some columns, which may name `n`, the number of the copy. Begins no step after `until`. */
const copyRow = async (
  owner: pg.Client,
  table: string,
  from: string,
  changes: Readonly<Record<string, string>>,
  copies: number,
  until = Number.POSITIVE_INFINITY,
): Promise<void> => {
  const columns = await listColumns(owner, table);
  const values = columns.map((name) => changes[name] ?? `r.${name}`).join(', ');
  for (let first = 1; first <= copies && performance.now() < until; first += STEP) {
    const last = Math.min(copies, first + STEP - 1);
    await owner.query(
      `insert into ${table} (${columns.join(', ')}) select ${values} from (select * from ${table} where ${from} limit 1) r, generate_series(${first}, ${last}) n`,
    );
  }
};

const NUMBERED = "lpad(n::text, 26, '0')";

/** Adds agents that may use the tools of an existing one. */
export const addAgents = (owner: pg.Client, agentId: string, count: number): Promise<void> =>
  runBare(owner, async () => {
    const [of, id] = [`agent_id = '${agentId}'`, `'agt_' || ${NUMBERED}`];
    await copyRow(owner, 'agents', `id = '${agentId}'`, { id, name: "'grown-' || n" }, count);
    await copyRow(owner, 'agent_epochs', of, { agent_id: id }, count);
    await copyRow(owner, 'agent_capabilities', of, { agent_id: id }, count);
    await copyRow(owner, 'tool_agents', of, { agent_id: id }, count);
  });

/** Adds actions of the past, spread over the given agents and a year, as retention would keep them: so many, or as many as fit into the time. */
export const addActions = (owner: pg.Client, agentIds: readonly string[], count: number, forMs: number): Promise<void> =>
  runBare(owner, async () => {
    const agents = `array[${agentIds.map((id) => `'${id}'`).join(', ')}]`;
    const changes = {
      id: `'act_' || ${NUMBERED}`,
      agent_id: `(${agents})[1 + n % ${agentIds.length}]`,
      created_at: `now() - interval '1 second' * (n % 31536000)`,
      completed_at: 'null',
      idempotency_key: 'null',
      idempotency_hash: 'null',
    };
    await copyRow(owner, 'actions', "status <> 'EXECUTING'", changes, count, performance.now() + forMs);
    await owner.query('analyze actions, agents, tool_agents, agent_epochs, agent_capabilities');
  });
