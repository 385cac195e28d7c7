const pure = ['contract', 'policy', 'domain', 'enforcement'];
const adapters = ['postgres', 'shared-state', 'egress', 'keyring', 'mail'];
const planes = [...pure, ...adapters, 'fairness', 'catalogue', 'peers', 'runtimes', 'operations', 'program', 'http'];

/** Packages that get time, ids, randomness and I/O as arguments. */
export const PURE_ROOMS: readonly string[] = [...pure, 'solver'];

/** Permitted imports by package. Adapters never import each other, and no package imports an app. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  solver: [],
  fairness: [],
  policy: ['contract', 'solver'],
  domain: ['contract', 'policy'],
  enforcement: ['contract', 'policy', 'domain'],
  catalogue: ['contract', 'policy', 'domain'],
  postgres: [...pure, 'fairness'],
  'shared-state': pure,
  egress: [...pure, 'fairness'],
  keyring: [...pure, 'fairness'],
  mail: pure,
  program: ['contract', 'policy', 'keyring', 'egress'],
  peers: [...pure, 'egress'],
  runtimes: pure,
  operations: [...pure, ...adapters, 'fairness', 'catalogue', 'peers', 'runtimes', 'program'],
  http: [...pure, ...adapters, 'fairness', 'operations', 'program'],
  'control-plane': planes,
  gateway: planes,
  worker: planes,
  sdk: ['contract'],
  client: ['contract'],
  console: ['contract', 'program', 'sdk', 'client'],
  stdio: [],
  connector: ['stdio'],
  cli: ['contract', 'policy', 'domain', 'stdio', 'sdk', 'client'],
  'database-server': ['postgres'],
  launcher: ['contract', 'program', 'operations', 'postgres', 'database-server', 'keyring', 'mail', 'sdk', 'client'],
  testing: ['contract', 'keyring', 'postgres', 'database-server', 'sdk', 'client'],
  tools: [...pure, 'catalogue', 'sdk', 'client', 'testing', 'postgres', 'program', 'http'],
  e2e: ['contract', 'program', 'sdk', 'client', 'testing'],
};

/** Packages that tests may import too: the fixture that runs the real service, and its clients. */
export const TEST_ROOMS: readonly string[] = ['testing', 'sdk', 'client'];
