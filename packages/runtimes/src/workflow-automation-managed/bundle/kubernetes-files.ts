import { USER_FOLDER } from './compose-file.ts';

type Terms = { readonly version: string; readonly values: readonly (readonly [string, string])[]; readonly hook: string };

const indent = (text: string, by: number): string => text.replaceAll(/^(?=.)/gm, ' '.repeat(by));

const namespace = (): string => `apiVersion: v1
kind: Namespace
metadata:
  name: governed-n8n
  labels:
    pod-security.kubernetes.io/enforce: restricted
`;

const configuration = ({ values, hook }: Terms): string => `apiVersion: v1
kind: ConfigMap
metadata: { name: governed-n8n, namespace: governed-n8n }
data:
${values.map(([name, value]) => `  ${name}: ${JSON.stringify(value)}\n`).join('')}---
apiVersion: v1
kind: ConfigMap
metadata: { name: governed-n8n-hook, namespace: governed-n8n }
data:
  hook.cjs: |
${indent(hook, 4)}`;

const networkPolicy = (): string => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: governed-n8n, namespace: governed-n8n }
spec:
  # Every pod of the namespace.
  podSelector: {}
  policyTypes: [Ingress, Egress]
  ingress:
    - from:
        - namespaceSelector: {}
          podSelector: { matchLabels: { role: ingress-proxy } }
      ports: [{ port: 5678, protocol: TCP }]
  egress:
    - to:
        - namespaceSelector: {}
          podSelector: { matchLabels: { app: governance-gateway } }
    - to:
        - namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: kube-system } }
          podSelector: { matchLabels: { k8s-app: kube-dns } }
      ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
`;

const service = (): string => `apiVersion: v1
kind: Service
metadata: { name: governed-n8n, namespace: governed-n8n }
spec:
  selector: { app: governed-n8n }
  ports: [{ port: 5678, protocol: TCP }]
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: governed-n8n, namespace: governed-n8n }
spec:
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 5Gi } }
`;

const deployment = ({ version }: Terms): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: governed-n8n, namespace: governed-n8n, labels: { app: governed-n8n } }
spec:
  replicas: 1
  strategy: { type: Recreate }
  selector: { matchLabels: { app: governed-n8n } }
  template:
    metadata: { labels: { app: governed-n8n } }
    spec:
      automountServiceAccountToken: false
      securityContext: { runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000, seccompProfile: { type: RuntimeDefault } }
      containers:
        - name: n8n
          image: docker.n8n.io/n8nio/n8n:${version}
          envFrom:
            - configMapRef: { name: governed-n8n }
            # N8N_ENCRYPTION_KEY, N8N_INSTANCE_OWNER_EMAIL and N8N_INSTANCE_OWNER_PASSWORD_HASH.
            - secretRef: { name: governed-n8n }
          ports: [{ containerPort: 5678 }]
          securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
          volumeMounts:
            - { name: data, mountPath: ${USER_FOLDER} }
            - { name: nodes, mountPath: ${USER_FOLDER}/nodes/node_modules }
            - { name: hook, mountPath: /svc/hook.cjs, subPath: hook.cjs, readOnly: true }
            - { name: agent-key, mountPath: /svc/secrets, readOnly: true }
            - { name: tmp, mountPath: /tmp }
      volumes:
        - name: data
          persistentVolumeClaim: { claimName: governed-n8n }
        # Holds the package n8n-nodes-svc-governance.
        - name: nodes
          persistentVolumeClaim: { claimName: governed-n8n-nodes, readOnly: true }
        - name: hook
          configMap: { name: governed-n8n-hook }
        - name: agent-key
          secret: { secretName: governed-n8n-agent, items: [{ key: SVC_AGENT_KEY, path: agent-key }] }
        - name: tmp
          emptyDir: {}
`;

/** Returns the manifests: a namespace of restricted pods, whose network policy lets out to the gateway and name servers alone. */
export const kubernetesFiles = (terms: Terms): readonly { readonly path: string; readonly content: string }[] => [
  { path: 'kubernetes/namespace.yaml', content: namespace() },
  { path: 'kubernetes/configuration.yaml', content: configuration(terms) },
  { path: 'kubernetes/network-policy.yaml', content: networkPolicy() },
  { path: 'kubernetes/service.yaml', content: service() },
  { path: 'kubernetes/deployment.yaml', content: deployment(terms) },
];
