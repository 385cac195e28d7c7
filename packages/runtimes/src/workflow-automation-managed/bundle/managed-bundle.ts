import { digestText } from '../../digest/digest.ts';

/** Version of the files. It changes with each change of them. */
const VERSION = '1';
/** The folder of the user in the image of the product. */
const USER_FOLDER = ['', 'home', 'node', '.n8n'].join('/');
const PRODUCT_VERSION = '2.41.1';

export type BundleTerms = { readonly gatewayUrl: string; readonly runtimeId: string; readonly agentId: string | null };

type BundleFile = { readonly path: string; readonly mode: string; readonly content: string; readonly secret_slots: readonly string[] };

/** Nodes that a managed instance may load. An allow-list, since a new release brings new nodes. */
const ALLOWED_NODES = [
  ...['set', 'if', 'switch', 'merge', 'noOp', 'filter', 'splitInBatches', 'splitOut', 'aggregate', 'limit', 'sort', 'removeDuplicates'],
  ...['summarize', 'dateTime', 'stickyNote', 'stopAndError', 'respondToWebhook', 'manualTrigger', 'scheduleTrigger', 'errorTrigger'],
  ...['executeWorkflow', 'executeWorkflowTrigger', 'webhook', 'wait'],
].map((name) => `n8n-nodes-base.${name}`);
const GOVERNED_NODES = ['svcAction', 'svcTrigger'].map((name) => `n8n-nodes-svc-governance.${name}`);

const environmentFile = (gatewayHost: string): string =>
  [
    ['N8N_DIAGNOSTICS_ENABLED', 'false'],
    ['N8N_VERSION_NOTIFICATIONS_ENABLED', 'false'],
    ['N8N_TEMPLATES_ENABLED', 'false'],
    ['N8N_PERSONALIZATION_ENABLED', 'false'],
    ['N8N_COMMUNITY_PACKAGES_ENABLED', 'false'],
    ['N8N_UNVERIFIED_PACKAGES_ENABLED', 'false'],
    ['N8N_BLOCK_ENV_ACCESS_IN_NODE', 'true'],
    ['N8N_RESTRICT_FILE_ACCESS_TO', '/tmp/none'],
    ['N8N_PYTHON_ENABLED', 'false'],
    ['N8N_SSRF_PROTECTION_ENABLED', 'true'],
    ['N8N_SSRF_BLOCKED_IP_RANGES', 'default,0.0.0.0/0,::/0'],
    ['N8N_SSRF_ALLOWED_HOSTNAMES', gatewayHost],
    ['NODES_INCLUDE', JSON.stringify([...ALLOWED_NODES, ...GOVERNED_NODES])],
  ]
    .map(([name, value]) => `${name}=${value}`)
    .concat('')
    .join('\n');

const composeFile = (): string => `services:
  n8n:
    image: docker.n8n.io/n8nio/n8n:${PRODUCT_VERSION}
    env_file: n8n.env
    environment:
      N8N_ENCRYPTION_KEY: \${N8N_ENCRYPTION_KEY:?set it}
    user: "1000:1000"
    read_only: true
    security_opt: ["no-new-privileges:true"]
    cap_drop: ["ALL"]
    tmpfs: ["/tmp"]
    volumes: ["n8n-data:${USER_FOLDER}"]
    networks: [inside, gateway]
volumes:
  n8n-data: {}
networks:
  # Without a way out. Only the gateway is attached to the second network.
  inside:
    internal: true
  gateway:
    internal: true
`;

const networkPolicy = (): string => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: governed-n8n
spec:
  podSelector:
    matchLabels:
      app: governed-n8n
  policyTypes: [Ingress, Egress]
  ingress:
    - from:
        - podSelector:
            matchLabels:
              role: ingress-proxy
      ports: [{ port: 5678, protocol: TCP }]
  egress:
    - to:
        - podSelector:
            matchLabels:
              app: governance-gateway
    - to:
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: kube-system
          podSelector:
            matchLabels:
              k8s-app: kube-dns
      ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
`;

const deployment = (): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: governed-n8n
  labels: { app: governed-n8n }
spec:
  replicas: 1
  selector:
    matchLabels: { app: governed-n8n }
  template:
    metadata:
      labels: { app: governed-n8n }
    spec:
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        seccompProfile: { type: RuntimeDefault }
      containers:
        - name: n8n
          image: docker.n8n.io/n8nio/n8n:${PRODUCT_VERSION}
          envFrom:
            - configMapRef: { name: governed-n8n }
            - secretRef: { name: governed-n8n }
          ports: [{ containerPort: 5678 }]
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          volumeMounts:
            - { name: data, mountPath: ${USER_FOLDER} }
            - { name: tmp, mountPath: /tmp }
      volumes:
        - name: data
          persistentVolumeClaim: { claimName: governed-n8n }
        - name: tmp
          emptyDir: {}
`;

const readme = ({ gatewayUrl, runtimeId }: BundleTerms): string => `# Governed n8n

Files for the runtime ${runtimeId}, which asks the gateway at ${gatewayUrl}.

1. Set the secret N8N_ENCRYPTION_KEY (32 random bytes) where you keep secrets. No file contains it.
2. Start \`compose.yaml\`, or apply the files of \`kubernetes/\` with a ConfigMap made of \`n8n.env\`.
3. Create an API key with read scopes, and the scopes workflow:create, workflow:delete, workflow:activate, workflow:deactivate and execution:stop.
4. Store it with PUT /v1/runtimes/${runtimeId}/api-key, set admin_access to OPERATE, and verify the runtime.

Verification reads the settings, tries a node type that is not on the list and an address that is not the gateway, and removes what it created.
`;

/** Returns the files that deploy a managed instance, with their hashes. The same terms give the same files. */
export const managedBundle = (terms: BundleTerms) => {
  const files: BundleFile[] = [
    { path: 'README.md', mode: '0644', content: readme(terms), secret_slots: [] },
    { path: 'n8n.env', mode: '0644', content: environmentFile(new URL(terms.gatewayUrl).host), secret_slots: [] },
    { path: 'compose.yaml', mode: '0644', content: composeFile(), secret_slots: ['N8N_ENCRYPTION_KEY'] },
    { path: 'kubernetes/deployment.yaml', mode: '0644', content: deployment(), secret_slots: ['N8N_ENCRYPTION_KEY'] },
    { path: 'kubernetes/network-policy.yaml', mode: '0644', content: networkPolicy(), secret_slots: [] },
  ];
  const hashed = files.map(({ secret_slots, ...file }) => ({ ...file, sha256: digestText(file.content), secret_slots: [...secret_slots] }));
  return {
    version: VERSION,
    hash: digestText(hashed.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('')),
    product_version: PRODUCT_VERSION,
    files: hashed,
    verify: [
      { what: 'The node types that the instance loads', evidence: 'SETTINGS, CANARY_NODE' },
      { what: 'The addresses that HTTP nodes reach', evidence: 'CANARY_EGRESS' },
    ],
    notes: [
      'Raw TCP, such as databases and mail, is stopped by the network policy and not by settings of n8n.',
      'Without the hook file the evidence BUNDLE and HOOK_ALIVE is missing, and the status is at most DETECTED.',
    ],
  };
};
