/** A framework that controls are mapped to: the points that the service can measure, and what is outside its view. */
export type Framework = {
  readonly title: string;
  readonly edition: string;
  /** Points by the numbers of the framework, with their subject in our words. */
  readonly references: Readonly<Record<string, string>>;
  /** Parts of the framework that the service cannot observe. */
  readonly outside: string;
  /** Legal obligations with the date from which they apply; empty for a voluntary framework. */
  readonly applies: readonly { readonly part: string; readonly from: string }[];
};

export const FRAMEWORKS = {
  OWASP_AGENTIC: {
    title: 'OWASP Top 10 for Agentic Applications',
    edition: '2026',
    references: {
      ASI01: 'Agent goals are manipulated by input',
      ASI02: 'Tools are misused',
      ASI03: 'Identity and privileges are abused',
      ASI04: 'Components and tools of agents are compromised',
      ASI05: 'Code is executed unintentionally',
      ASI06: 'Memory and context are poisoned',
      ASI07: 'Messages between agents are forged or intercepted',
      ASI08: 'Failures spread',
      ASI09: 'The trust of people in agents is exploited',
      ASI10: 'Agents get out of control',
    },
    outside: 'Prompts, models, memory and messages between agents do not pass through the service. It limits their effects.',
    applies: [],
  },
  EU_AI_ACT: {
    title: 'Regulation (EU) 2024/1689 (AI Act)',
    edition: '2024',
    references: {
      '12(1)': 'Events are recorded automatically',
      '12(2)': 'Records allow the identification of risks and the monitoring of operation',
      '14(1)': 'People oversee the system in use',
      '14(4)(a)': 'Overseers understand the capabilities of the system and see its operation',
      '14(4)(d)': 'Overseers can reject the output of the system',
      '14(4)(e)': 'Overseers can stop the system',
      '19(1)': 'Providers keep the logs for at least six months',
      '26(1)': 'Deployers use the system according to its instructions',
      '26(2)': 'Deployers assign oversight to people with the necessary authority',
      '26(5)': 'Deployers monitor operation',
      '26(6)': 'Deployers keep the logs for at least six months',
    },
    outside:
      'The classification as high-risk, the requirements for biometric systems (12(3), 14(5)) and financial institutions (19(2)), training and skills, the quality of input data, and information for workers, affected persons and authorities (26(4), 26(7) to 26(12)).',
    applies: [
      { part: 'Article 50 (transparency toward people)', from: '2026-08-02' },
      {
        part: 'Articles 12, 14, 19 and 26 for high-risk systems of Annex III, as postponed by the Digital Omnibus on AI',
        from: '2027-12-02',
      },
    ],
  },
  ISO_42001: {
    title: 'ISO/IEC 42001, Annex A',
    edition: '2023',
    references: {
      'A.3.2': 'Roles and responsibilities',
      'A.4.2': 'Resources are documented',
      'A.4.4': 'Tools are documented',
      'A.6.2.4': 'Verification and validation',
      'A.6.2.6': 'Operation and monitoring',
      'A.6.2.8': 'Event logs',
      'A.8.4': 'Incidents are communicated',
      'A.9.2': 'Processes for responsible use',
      'A.9.4': 'Intended use',
      'A.10.3': 'Suppliers',
    },
    outside:
      'AI policies (A.2), impact assessments (A.5), design and data (A.6.1, A.7), and customers (A.10.4), which are organizational matters.',
    applies: [],
  },
  SOC_2: {
    title: 'SOC 2, Trust Services Criteria',
    edition: '2017, with points of focus of 2022',
    references: {
      'CC4.1': 'Controls are evaluated continuously',
      'CC6.1': 'Logical access is protected',
      'CC6.2': 'Users are registered before they receive access',
      'CC6.3': 'Access is granted by role, with least privilege',
      'CC6.6': 'Boundaries are protected',
      'CC6.7': 'Outgoing information is restricted',
      'CC7.2': 'Anomalies are monitored',
      'CC7.3': 'Events are evaluated',
      'CC7.4': 'Incidents are handled',
      'CC8.1': 'Changes are tested and approved',
    },
    outside:
      'Governance and communication (CC1, CC2), risk assessment (CC3), physical access (CC6.4), vendors (CC9), and the machines that the service runs on.',
    applies: [],
  },
} as const satisfies Record<string, Framework>;

export type FrameworkName = keyof typeof FRAMEWORKS;

export const FRAMEWORK_NAMES = Object.keys(FRAMEWORKS) as readonly FrameworkName[];

/** Points that a control addresses, by framework. */
export type References = { readonly [Name in FrameworkName]?: readonly (keyof (typeof FRAMEWORKS)[Name]['references'])[] };
