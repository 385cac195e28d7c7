import { runSubcommand } from '@svc/program/start/run-subcommand.ts';

const actions = (): Promise<unknown> => import('./actions/main.ts');

await runSubcommand({
  script: 'bench',
  title: 'Benchmarks. Run them on a machine that does nothing else:',
  unnamed: { summary: 'the same as actions', load: actions },
  commands: {
    actions: { summary: 'decisions and executed actions, beside a bare HTTP server', load: actions },
    growth: { summary: 'decisions of an organization with many agents and a long history', load: () => import('./growth/main.ts') },
    policy: { summary: 'policy engine, beside casbin, json-rules-engine, Cedar and Cerbos', load: () => import('./policy/main.ts') },
    flow: { summary: 'attacks that flow templates stop, and honest sessions that they hold', load: () => import('./flow/main.ts') },
    leases: { summary: 'cost of a stored credential per action', load: () => import('./leases/main.ts') },
    mcp: { summary: 'cost of the gateway per call of an MCP tool', load: () => import('./mcp/main.ts') },
    sealing: { summary: 'cost of sealing an event', load: () => import('./sealing/main.ts') },
    search: { summary: 'time for a page of the audit record', load: () => import('./search/main.ts') },
    export: { summary: 'exported events per second', load: () => import('./export/main.ts') },
    stream: { summary: 'latency from a decision to its listeners', load: () => import('./stream/main.ts') },
    webhooks: { summary: 'webhook deliveries per second to one receiver', load: () => import('./webhooks/main.ts') },
    sessions: { summary: 'cost of authenticating a request', load: () => import('./sessions/main.ts') },
    imports: { summary: 'import of published OpenAPI documents', load: () => import('./imports/main.ts') },
    console: { summary: 'five tasks of a new user in the console', load: () => import('./console/main.ts') },
    start: { summary: 'time until both servers are ready', load: () => import('./start/main.ts') },
  },
});
