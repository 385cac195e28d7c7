/** Families of signals. Only the largest points of a family count, so that one fact is not counted twice. */
export const RISK_FAMILIES = ['novelty', 'identity', 'amount', 'volume', 'spread', 'refusal', 'time', 'content', 'change'] as const;
export type RiskFamily = (typeof RISK_FAMILIES)[number];

export const RISK_LEVELS = ['LOW', 'ELEVATED', 'HIGH'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

export type SignalRow = {
  readonly family: RiskFamily;
  /** True if it compares with the history of the agent, which a worker folds from the event feed. */
  readonly history: boolean;
  /** Default points. */
  readonly points: number;
  /** Default points if the finding is much larger. */
  readonly higher?: number;
  /** Entries of OWASP ASI and MITRE ATLAS. */
  readonly tags: readonly string[];
  readonly description: string;
};

/** All risk signals. A signal never refuses a request: it adds points to a score that policies and people read. */
export const SIGNAL_TABLE = {
  first_tool_use: {
    family: 'novelty',
    history: true,
    points: 15,
    tags: ['ASI02', 'AML.T0053'],
    description: 'The agent uses a tool that it did not use in the last 30 days.',
  },
  new_destination: {
    family: 'novelty',
    history: true,
    points: 25,
    tags: ['ASI02', 'AML.T0086'],
    description: 'The request goes to a destination that the agent did not call in the last 30 days.',
  },
  new_source_address: {
    family: 'identity',
    history: true,
    points: 20,
    tags: ['ASI03', 'AML.T0012'],
    description: 'The request comes from a network that the agent did not use before.',
  },
  key_just_rotated: {
    family: 'identity',
    history: false,
    points: 10,
    higher: 20,
    tags: ['ASI03'],
    description: 'The key of the agent was replaced in the last hour.',
  },
  context_churn: {
    family: 'identity',
    history: true,
    points: 15,
    tags: ['ASI01'],
    description: 'The agent begins many more flow contexts in an hour than usual.',
  },
  unusual_amount: {
    family: 'amount',
    history: true,
    points: 25,
    higher: 40,
    tags: ['ASI02'],
    description: 'The amount is more than three times what 99 of 100 earlier amounts stayed below.',
  },
  velocity_spike: {
    family: 'volume',
    history: true,
    points: 20,
    higher: 35,
    tags: ['ASI08'],
    description: 'The agent makes many more calls in five minutes than usual.',
  },
  enumeration: {
    family: 'spread',
    history: true,
    points: 30,
    tags: ['ASI02', 'AML.T0085.001'],
    description: 'The agent reads many more different records in an hour than usual. Needs `record_from` in the declaration of the tool.',
  },
  repeated_refusals: {
    family: 'refusal',
    history: true,
    points: 20,
    higher: 35,
    tags: ['ASI10'],
    description: 'Several requests of the agent in a row were refused.',
  },
  probing: {
    family: 'spread',
    history: true,
    points: 35,
    tags: ['ASI03', 'AML.T0084'],
    description: 'Requests for at least four different tools or capabilities that the agent does not have were refused in ten minutes.',
  },
  unusual_hour: {
    family: 'time',
    history: true,
    points: 15,
    tags: ['ASI10'],
    description: 'The agent acts outside the hours of the settings or, without such hours, at an hour at which it hardly ever acts.',
  },
  secret_in_parameters: {
    family: 'content',
    history: false,
    points: 40,
    tags: ['ASI02', 'AML.T0055'],
    description: 'The parameters of an outgoing request contain a key, token or password of a known form.',
  },
  personal_data_in_parameters: {
    family: 'content',
    history: false,
    points: 15,
    higher: 25,
    tags: ['AML.T0086'],
    description: 'The parameters of an outgoing request contain account or card numbers, or at least ten e-mail addresses.',
  },
  injection_marks: {
    family: 'content',
    history: false,
    points: 10,
    higher: 20,
    tags: ['ASI01', 'AML.T0051.001'],
    description: 'The parameters of an outgoing request contain at least two different marks of injected instructions.',
  },
  tool_just_changed: {
    family: 'change',
    history: false,
    points: 10,
    tags: ['ASI04'],
    description: 'The declaration of a tool with a high risk rating, or of an MCP server, was changed in the last 24 hours.',
  },
  assertion_failures: {
    family: 'identity',
    history: true,
    points: 0,
    tags: ['ASI03'],
    description: 'Many failed sign-ins name the agent. Counts 0, since anyone who knows the id can cause it.',
  },
} as const satisfies Record<string, SignalRow>;

export type SignalName = keyof typeof SIGNAL_TABLE;
export const SIGNAL_NAMES = Object.keys(SIGNAL_TABLE) as SignalName[];
