/** A framework that controls are mapped to: which points of it the service can say something of, and what lies outside of it. */
type Framework = {
  readonly title: string;
  readonly edition: string;
  /** Points by the numbers of the framework, with what each is about in our words. */
  readonly references: Readonly<Record<string, string>>;
  /** What of the framework the service sees nothing of. */
  readonly outside: string;
};

export const FRAMEWORKS = {
  OWASP_AGENTIC: {
    title: 'OWASP Top 10 for Agentic Applications',
    edition: '2026',
    references: {
      ASI01: 'Goals of an agent turned by what it reads',
      ASI02: 'Tools misused',
      ASI03: 'Identity and privilege abused',
      ASI04: 'Compromised components and tools of agents',
      ASI05: 'Unintended code execution',
      ASI06: 'Memory and context poisoned',
      ASI07: 'Messages between agents forged or read',
      ASI08: 'Failures that spread',
      ASI09: 'Trust of people in agents exploited',
      ASI10: 'Agents out of control',
    },
    outside: 'Prompts, models, memory and what is said between agents never pass the service: it bounds what comes of them.',
  },
  EU_AI_ACT: {
    title: 'Regulation (EU) 2024/1689 (AI Act)',
    edition: '2024',
    references: {
      '12(1)': 'Events are recorded automatically',
      '12(2)': 'Records allow the identification of risks and the monitoring of operation',
      '14(1)': 'People oversee the system in use',
      '14(4)(a)': 'Overseers understand the capabilities of the system and see its operation',
      '14(4)(d)': 'Overseers can decide against its output',
      '14(4)(e)': 'Overseers can stop it',
      '19(1)': 'Providers keep the logs, six months at least',
      '26(1)': 'Deployers use the system as it is meant to be used',
      '26(2)': 'Deployers give oversight to people with the authority for it',
      '26(5)': 'Deployers monitor operation',
      '26(6)': 'Deployers keep the logs, six months at least',
    },
    outside:
      'The classification as high-risk, the requirements for biometric systems (12(3), 14(5)) and financial institutions (19(2)), training and skills, the quality of input data, and information for workers, affected persons and authorities (26(4), 26(7) to 26(12)).',
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
      'A.9.2': 'Processes of responsible use',
      'A.9.4': 'Use as intended',
      'A.10.3': 'Suppliers',
    },
    outside:
      'Policies on AI (A.2), impact assessments (A.5), design and data (A.6.1, A.7), and customers (A.10.4): they are papers and people.',
  },
  SOC_2: {
    title: 'SOC 2, Trust Services Criteria',
    edition: '2017, points of focus of 2022',
    references: {
      'CC4.1': 'Controls are evaluated as they go on',
      'CC6.1': 'Logical access is protected',
      'CC6.2': 'Users are registered before they get access',
      'CC6.3': 'Access is given by role, and no more than is needed',
      'CC6.6': 'Boundaries are protected',
      'CC6.7': 'Information that leaves is restricted',
      'CC7.2': 'Anomalies are watched for',
      'CC7.3': 'Events are evaluated',
      'CC7.4': 'Incidents are answered',
      'CC8.1': 'Changes are tested and approved',
    },
    outside:
      'Governance and communication (CC1, CC2), assessment of risks (CC3), physical access (CC6.4), vendors (CC9), and every machine that the service runs on.',
  },
} as const satisfies Record<string, Framework>;

export type FrameworkName = keyof typeof FRAMEWORKS;

export const FRAMEWORK_NAMES = Object.keys(FRAMEWORKS) as readonly FrameworkName[];

/** By framework, the points that a control answers to. */
export type References = { readonly [Name in FrameworkName]?: readonly (keyof (typeof FRAMEWORKS)[Name]['references'])[] };
