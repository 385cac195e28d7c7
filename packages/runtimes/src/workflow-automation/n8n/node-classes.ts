/** The effect that a node can have outside its workflow. */
export const NODE_CLASSES = [
  ...(['GOVERNED', 'LOCAL', 'TRIGGER', 'HTTP', 'SERVICE', 'RAW_NETWORK', 'HOST_COMMAND', 'HOST_FILES', 'CODE'] as const),
  ...(['SUBWORKFLOW', 'MODEL', 'AGENT', 'MCP', 'WAIT', 'SELF_MANAGEMENT', 'COMMUNITY', 'UNKNOWN'] as const),
] as const;
export type NodeClass = (typeof NODE_CLASSES)[number];

const BASE = 'n8n-nodes-base.';
const LANGCHAIN = '@n8n/n8n-nodes-langchain.';
/** Types of the nodes of the service. */
const GOVERNED_PREFIX = 'n8n-nodes-svc-governance.';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Nodes of the base package by class. A node that is not listed here is a SERVICE: an application node of another service. New nodes of a
 * release are therefore findings until they are classified.
 */
const BASE_CLASSES: Readonly<
  Record<Exclude<NodeClass, 'GOVERNED' | 'SERVICE' | 'COMMUNITY' | 'UNKNOWN' | 'MODEL' | 'AGENT' | 'MCP'>, readonly string[]>
> = {
  LOCAL: words(`
    set if switch merge noOp filter splitInBatches splitOut aggregate itemLists limit sort removeDuplicates summarize dateTime crypto html
    htmlExtract markdown xml compression convertToFile extractFromFile renameKeys stickyNote stopAndError respondToWebhook moveBinaryData jwt
    totp form compareDatasets editImage iCal quickChart spreadsheetFile readPDF executionData evaluation evaluationTrigger simulate simulateTrigger
    debugHelper dataTable`),
  TRIGGER: words(`
    manualTrigger scheduleTrigger cron interval errorTrigger executeWorkflowTrigger n8nTrigger workflowTrigger start activationTrigger webhook
    formTrigger sseTrigger`),
  HTTP: words('httpRequest graphql rssFeedRead rssFeedReadTrigger'),
  RAW_NETWORK: words(`
    postgres postgresTrigger mySql microsoftSql mariaDb cockroachDb questDb crateDb timescaleDb oracleDatabase snowflake mongoDb redis redisTrigger
    rabbitmq rabbitmqTrigger kafka kafkaTrigger amqp amqpTrigger mqtt mqttTrigger emailSend emailReadImap ldap ftp`),
  HOST_COMMAND: words('executeCommand ssh'),
  HOST_FILES: words('readWriteFile readBinaryFile readBinaryFiles writeBinaryFile localFileTrigger git'),
  CODE: words('code function functionItem aiTransform'),
  SUBWORKFLOW: words('executeWorkflow'),
  WAIT: words('wait'),
  SELF_MANAGEMENT: words('n8n'),
};

const LANGCHAIN_CLASSES: Readonly<Partial<Record<NodeClass, readonly string[]>>> = {
  AGENT: words(`
    agent agentTool chainLlm chainSummarization chainRetrievalQa informationExtractor sentimentAnalysis textClassifier openAiAssistant guardrails
    modelSelector`),
  LOCAL: words(`
    memoryBufferWindow memoryManager memoryChatRetriever outputParserStructured outputParserAutofixing outputParserItemList toolCalculator toolThink
    textSplitterCharacterTextSplitter textSplitterRecursiveCharacterTextSplitter textSplitterTokenSplitter documentDefaultDataLoader
    documentBinaryInputLoader documentJsonInputLoader vectorStoreInMemory vectorStoreInMemoryInsert vectorStoreInMemoryLoad retrieverVectorStore
    retrieverContextualCompression retrieverMultiQuery toolVectorStore chat`),
  TRIGGER: words('chatTrigger manualChatTrigger mcpTrigger'),
  HTTP: words('toolHttpRequest'),
  CODE: words('code toolCode'),
  SUBWORKFLOW: words('toolWorkflow retrieverWorkflow'),
  MCP: words('mcpClientTool mcpClient mcpRegistryClientTool'),
  RAW_NETWORK: words('memoryPostgresChat memoryRedisChat memoryMongoDbChat vectorStorePGVector vectorStoreRedis'),
};

const index = (classes: Readonly<Partial<Record<NodeClass, readonly string[]>>>): ReadonlyMap<string, NodeClass> =>
  new Map(Object.entries(classes).flatMap(([each, names]) => names.map((name) => [name, each as NodeClass] as const)));

const base = index(BASE_CLASSES);
const langchain = index(LANGCHAIN_CLASSES);

/** Suffixes of the variants of a node that agents use as a tool. */
const withoutToolSuffix = (name: string): string => name.replace(/(?:Hitl)?Tool$/, '');

const baseClass = (name: string): NodeClass => base.get(name) ?? base.get(withoutToolSuffix(name)) ?? 'SERVICE';

const isModel = (name: string): boolean =>
  /^(?:lm|embeddings)[A-Z]/.test(name) || /^(?:openAi|anthropic|googleGemini|ollama|mistralCloud)$/.test(name);

/** Returns the class of a node type. Types of other packages are COMMUNITY, regardless of the name. */
export const classOfType = (type: string, governedTypes: readonly string[] = []): NodeClass => {
  if (type.startsWith(GOVERNED_PREFIX) || governedTypes.includes(type)) return 'GOVERNED';
  if (type.startsWith(BASE)) return baseClass(type.slice(BASE.length));
  if (!type.startsWith(LANGCHAIN)) return type.includes('.') ? 'COMMUNITY' : 'UNKNOWN';
  const name = type.slice(LANGCHAIN.length);
  return langchain.get(name) ?? (isModel(name) ? 'MODEL' : (langchain.get(withoutToolSuffix(name)) ?? 'SERVICE'));
};

/** Returns true for a node of the service itself, whose address has to be that of the gateway. */
export const isOwnNode = (type: string): boolean => type.startsWith(GOVERNED_PREFIX);

/** Triggers that anyone can call, with the value of `authentication` that protects them. */
export const OPEN_TRIGGERS: ReadonlySet<string> = new Set([
  `${BASE}webhook`,
  `${BASE}formTrigger`,
  `${LANGCHAIN}chatTrigger`,
  `${LANGCHAIN}mcpTrigger`,
]);

export const CHAT_TRIGGER = `${LANGCHAIN}chatTrigger`;
