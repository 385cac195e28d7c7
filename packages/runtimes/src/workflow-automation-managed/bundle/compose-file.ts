/** The folder of the user in the image of the product. */
export const USER_FOLDER = ['', 'home', 'node', '.n8n'].join('/');

/** Returns the compose file: an instance without a way out but to the gateway. */
export const composeFile = (version: string): string => `services:
  n8n:
    image: docker.n8n.io/n8nio/n8n:${version}
    env_file: n8n.env
    environment:
      N8N_ENCRYPTION_KEY: \${N8N_ENCRYPTION_KEY:?set it}
      N8N_INSTANCE_OWNER_EMAIL: \${N8N_INSTANCE_OWNER_EMAIL:?set it}
      N8N_INSTANCE_OWNER_PASSWORD_HASH: \${N8N_INSTANCE_OWNER_PASSWORD_HASH:?set it}
    user: "1000:1000"
    read_only: true
    security_opt: ["no-new-privileges:true"]
    cap_drop: ["ALL"]
    tmpfs: ["/tmp"]
    volumes:
      - n8n-data:${USER_FOLDER}
      - ./hook.cjs:/svc/hook.cjs:ro
      - ./nodes:${USER_FOLDER}/nodes/node_modules:ro
    secrets:
      - source: agent-key
        target: /svc/secrets/agent-key
    networks: [gateway]
secrets:
  agent-key:
    environment: SVC_AGENT_KEY
volumes:
  n8n-data: {}
networks:
  # Without a way out. Attach the gateway, and a proxy for incoming requests, to this network and nothing else.
  gateway:
    internal: true
`;
