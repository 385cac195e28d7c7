import { getApplicationFile, getConfigFile, getProjectFile, getUserFile } from './folders.ts';
import type { EntryShape, Folders, Format } from './format.ts';

const COMMON: EntryShape = {
  command: { program: 'command', args: 'args' },
  env: ['env'],
  url: ['url'],
  headers: ['headers'],
  type: { local: 'stdio', isRequired: false, remote: ['http', 'streamable-http', 'streamableHttp'] },
};

const SERVERS = [['mcpServers']] as const;
const json = { syntax: 'json', containers: SERVERS, shape: COMMON } as const;

const CLINE = ['User', 'globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json'] as const;

const claudeCodeFolder = (folders: Folders): readonly string[] =>
  folders.env.CLAUDE_CONFIG_DIR === undefined ? [] : [folders.env.CLAUDE_CONFIG_DIR];

/** One row a client. */
export const FORMATS: readonly Format[] = [
  {
    ...json,
    id: 'claude-desktop',
    name: 'Claude Desktop',
    files: (folders) => [getApplicationFile(folders, 'Claude', 'claude_desktop_config.json')],
  },
  {
    ...json,
    id: 'claude-code',
    name: 'Claude Code',
    files: (folders) => [
      getProjectFile(folders, '.mcp.json'),
      getUserFile(folders, '.claude.json'),
      ...claudeCodeFolder(folders).map((folder) => ({ path: `${folder}/.claude.json`, scope: 'USER' as const })),
    ],
    containers: [['mcpServers'], ['projects', '*', 'mcpServers']],
  },
  {
    ...json,
    id: 'cursor',
    name: 'Cursor',
    files: (folders) => [getUserFile(folders, '.cursor', 'mcp.json'), getProjectFile(folders, '.cursor', 'mcp.json')],
  },
  {
    ...json,
    id: 'vscode',
    name: 'VS Code',
    files: (folders) => [
      getProjectFile(folders, '.vscode', 'mcp.json'),
      getApplicationFile(folders, 'Code', 'User', 'mcp.json'),
      getApplicationFile(folders, 'Code', 'User', 'settings.json'),
    ],
    containers: [['servers'], ['mcp', 'servers']],
    shape: { ...COMMON, type: { local: 'stdio', isRequired: true, remote: ['http'] } },
  },
  {
    ...json,
    id: 'copilot',
    name: 'Copilot',
    files: (folders) => [
      folders.env.COPILOT_HOME === undefined
        ? getUserFile(folders, '.copilot', 'mcp-config.json')
        : { path: `${folders.env.COPILOT_HOME}/mcp-config.json`, scope: 'USER' },
    ],
    shape: { ...COMMON, type: { local: 'local', isRequired: true, remote: ['http'] } },
  },
  {
    ...json,
    id: 'windsurf',
    name: 'Windsurf',
    files: (folders) => [getUserFile(folders, '.codeium', 'windsurf', 'mcp_config.json')],
    shape: { ...COMMON, url: ['serverUrl', 'url'] },
  },
  {
    ...json,
    id: 'cline',
    name: 'Cline',
    files: (folders) => [getApplicationFile(folders, 'Code', ...CLINE), getApplicationFile(folders, 'Cursor', ...CLINE)],
  },
  {
    id: 'codex',
    name: 'Codex',
    syntax: 'toml',
    files: (folders) => [getUserFile(folders, '.codex', 'config.toml'), getProjectFile(folders, '.codex', 'config.toml')],
    containers: [['mcp_servers']],
    shape: {
      command: { program: 'command', args: 'args' },
      env: ['env', 'env_vars'],
      url: ['url'],
      headers: ['http_headers', 'env_http_headers', 'bearer_token_env_var'],
    },
  },
  {
    ...json,
    id: 'gemini',
    name: 'Gemini CLI',
    files: (folders) => [getUserFile(folders, '.gemini', 'settings.json'), getProjectFile(folders, '.gemini', 'settings.json')],
    // `url` is the older transport over server-sent events.
    shape: { ...COMMON, url: ['httpUrl'] },
  },
  {
    ...json,
    id: 'zed',
    name: 'Zed',
    files: (folders) => [getConfigFile(folders, 'zed', 'settings.json'), getProjectFile(folders, '.zed', 'settings.json')],
    containers: [['context_servers']],
  },
  {
    id: 'goose',
    name: 'Goose',
    syntax: 'yaml',
    files: (folders) => [
      folders.platform === 'win32'
        ? getApplicationFile(folders, 'Block', 'goose', 'config', 'config.yaml')
        : getConfigFile(folders, 'goose', 'config.yaml'),
    ],
    containers: [['extensions']],
    shape: {
      command: { program: 'cmd', args: 'args' },
      env: ['envs', 'env_keys'],
      url: ['uri'],
      headers: ['headers'],
      type: { local: 'stdio', isRequired: true, remote: ['streamable_http'] },
    },
  },
  {
    id: 'continue',
    name: 'Continue',
    syntax: 'yaml',
    files: (folders) => [getUserFile(folders, '.continue', 'config.yaml')],
    containers: SERVERS,
    isList: true,
    shape: { ...COMMON, headers: ['headers', 'requestOptions'] },
  },
  {
    ...json,
    id: 'opencode',
    name: 'OpenCode',
    files: (folders) => [getConfigFile(folders, 'opencode', 'opencode.json'), getProjectFile(folders, 'opencode.json')],
    containers: [['mcp']],
    shape: {
      command: { list: 'command' },
      env: ['environment'],
      url: ['url'],
      headers: ['headers'],
      type: { local: 'local', isRequired: true, remote: ['remote'] },
    },
  },
  {
    ...json,
    id: 'lm-studio',
    name: 'LM Studio',
    files: (folders) => [getUserFile(folders, '.lmstudio', 'mcp.json'), getUserFile(folders, '.cache', 'lm-studio', 'mcp.json')],
  },
  {
    ...json,
    id: 'kiro',
    name: 'Kiro',
    files: (folders) => [getUserFile(folders, '.kiro', 'settings', 'mcp.json'), getProjectFile(folders, '.kiro', 'settings', 'mcp.json')],
  },
  {
    ...json,
    id: 'crush',
    name: 'Crush',
    files: (folders) => [getConfigFile(folders, 'crush', 'crush.json'), getProjectFile(folders, 'crush.json')],
    containers: [['mcp']],
    shape: { ...COMMON, type: { local: 'stdio', isRequired: true, remote: ['http'] } },
  },
];
