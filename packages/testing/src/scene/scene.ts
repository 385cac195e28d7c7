import { after, before, beforeEach } from 'node:test';
import { bearerTransport, type ControlClient, createControlClient } from '@svc/client/client.ts';
import type pg from 'pg';
import { mintToken, newAgent, type TestAgent } from '../agents/agent.ts';
import { call, type TestResponse } from '../people/client.ts';
import { newTenant, stepUp, type Tenant } from '../people/tenant.ts';
import { leasePlanes } from '../planes/lease/lease-planes.ts';
import { type Planes, type PlanesOptions, startPlanes } from '../planes/start-planes.ts';
import { advanceTime } from '../time/advance-time.ts';

export type SceneOptions = {
  /** Agents with an access token each. Default: none. */
  readonly agents?: number;
  /** Capabilities of the agents. */
  readonly capabilities?: readonly string[];
  /** The owner has re-authenticated, so that guarded operations pass. */
  readonly steppedUp?: boolean;
  /** Each test has a tenant of its own. */
  readonly tenantPerTest?: boolean;
  /** Settings of leased planes. */
  readonly env?: PlanesOptions['env'];
  /** Starts planes of its own instead of leasing them. */
  readonly start?: PlanesOptions;
};

export type SceneEvent = {
  readonly type: string;
  readonly actor_type: string;
  readonly actor_id: string;
  readonly severity: string;
  readonly workspace_id: string | null;
  readonly environment_id: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every type
  readonly data: any;
};

/** The setup of most tests of the planes. Its members exist from the first test on. */
export type Scene = {
  readonly planes: Planes;
  readonly tenant: Tenant;
  readonly agents: readonly (TestAgent & { readonly token: string })[];
  /** The database as its owner. */
  readonly owner: pg.Client;
  /** Client of the control plane for the tenant's owner, typed by the contract. */
  readonly client: ControlClient;
  /** Sends a request to the control plane, as the tenant's owner unless a token is given. */
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    token?: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<TestResponse>;
  /** Returns the events about a subject, oldest first, without the digests of records; only the named columns if there are any. */
  readonly eventsOf: <Column extends keyof SceneEvent = keyof SceneEvent>(
    subjectId: string,
    ...columns: readonly Column[]
  ) => Promise<Pick<SceneEvent, Column>[]>;
  /** Adds a step to the setup, run once planes and tenant exist. Two hooks of a file may run concurrently, steps do not. */
  readonly before: (step: () => Promise<void>) => void;
  readonly clock: {
    /** Lets time pass for the tenant. */
    readonly advance: (seconds: number) => Promise<void>;
  };
};

const EVENT_COLUMNS = {
  type: 'type',
  actor_type: 'actor_type',
  actor_id: 'actor_id',
  severity: 'severity',
  workspace_id: 'workspace_id',
  environment_id: 'environment_id',
  data: "data::jsonb - 'record_digests' as data",
} as const satisfies Record<keyof SceneEvent, string>;

const readEvents = async <Column extends keyof SceneEvent>(owner: pg.Client, subjectId: string, columns: readonly Column[]) => {
  const named = columns.length === 0 ? Object.values(EVENT_COLUMNS) : columns.map((column) => EVENT_COLUMNS[column]);
  const text = `select ${named.join(', ')} from audit_events where subject_id = $1 order by id`;
  return (await owner.query<Pick<SceneEvent, Column>>(text, [subjectId])).rows;
};

type Members = Pick<Scene, 'planes' | 'owner'> & { tenant?: Tenant; agents: readonly (TestAgent & { readonly token: string })[] };

const newMembers = async ({ start, env }: SceneOptions): Promise<Members> => {
  const planes = await (start === undefined ? leasePlanes(env === undefined ? {} : { env }) : startPlanes(start));
  return { planes, owner: await planes.database.client(), agents: [] };
};

const addTenant = async (members: Members, { agents = 0, capabilities = [], steppedUp = false }: SceneOptions): Promise<void> => {
  const tenant = await newTenant(members.planes);
  if (steppedUp) await stepUp(tenant.controlUrl, tenant);
  members.tenant = tenant;
  members.agents = [];
  for (let count = 0; count < agents; count += 1) {
    const agent = await newAgent(tenant, { capabilities });
    members.agents = [...members.agents, { ...agent, token: await mintToken(members.planes.gatewayUrl, agent) }];
  }
};

/**
 * Creates planes, a tenant and helpers for the tests of one file. Call it at the top of the file: it sets up before the first test and
 * stops after the last one.
 */
export const createScene = (options: SceneOptions = {}): Scene => {
  let members: Members | undefined;
  const steps: (() => Promise<void>)[] = [];
  const present = (): Members => {
    if (members === undefined) throw new Error('the scene is there from the first test on: use it within tests and hooks');
    return members;
  };
  const tenant = (): Tenant => {
    const { tenant: made } = present();
    if (made === undefined) throw new Error('each test has a tenant of its own: use it within tests');
    return made;
  };
  before(async () => {
    members = await newMembers(options);
    if (!options.tenantPerTest) await addTenant(members, options);
    for (const step of steps) await step();
  });
  if (options.tenantPerTest) beforeEach(() => addTenant(present(), options));
  after(async () => {
    await members?.owner.end();
    await members?.planes.stop();
  });
  return {
    get planes() {
      return present().planes;
    },
    get tenant() {
      return tenant();
    },
    get agents() {
      return present().agents;
    },
    get owner() {
      return present().owner;
    },
    get client() {
      return createControlClient({ transport: bearerTransport({ url: present().planes.controlUrl, token: tenant().token }) });
    },
    send: (method, path, body, token = tenant().token, headers = {}) =>
      call(present().planes.controlUrl, method, path, { token, headers, ...(body === undefined ? {} : { body }) }),
    eventsOf: (subjectId, ...columns) => readEvents(present().owner, subjectId, columns),
    before: (step) => void steps.push(step),
    clock: { advance: (seconds) => advanceTime(present().owner, tenant().organization_id, seconds) },
  };
};
