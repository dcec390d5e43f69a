/** The clients that Quarry can register itself with: where each keeps its servers, and in what words. */

export const CLIENT_NAMES = ['claude-code', 'cursor', 'vscode', 'codex', 'zed', 'gemini'] as const
export type ClientName = (typeof CLIENT_NAMES)[number]

/** What starts the server. */
export interface ServerCommand {
  readonly command: string
  readonly args: readonly string[]
}

export interface AgentClient {
  readonly title: string
  /** Below the project; null where it has only settings of the user. */
  readonly project: string | null
  /** Below the home directory. */
  readonly user: string
  readonly format: 'json' | 'toml'
  readonly path: readonly [string, string]
  readonly entry: (server: ServerCommand) => Readonly<Record<string, string | readonly string[]>>
  /** What is left to do. */
  readonly next: string
}

const plain = ({ command, args }: ServerCommand) => ({ command, args })
const stdio = ({ command, args }: ServerCommand) => ({ type: 'stdio', command, args })

export const CLIENTS: Readonly<Record<ClientName, AgentClient>> = {
  'claude-code': {
    title: 'Claude Code',
    project: '.mcp.json',
    user: '.claude.json',
    format: 'json',
    path: ['mcpServers', 'quarry'],
    entry: stdio,
    next: 'start claude here and allow the server; /mcp shows it',
  },
  cursor: {
    title: 'Cursor',
    project: '.cursor/mcp.json',
    user: '.cursor/mcp.json',
    format: 'json',
    path: ['mcpServers', 'quarry'],
    entry: plain,
    next: 'turn it on in the settings under MCP',
  },
  vscode: {
    title: 'VS Code',
    project: '.vscode/mcp.json',
    user: userFileOfCode(),
    format: 'json',
    path: ['servers', 'quarry'],
    entry: stdio,
    next: 'start it from the list: “MCP: List Servers”',
  },
  codex: {
    title: 'Codex',
    project: '.codex/config.toml',
    user: '.codex/config.toml',
    format: 'toml',
    path: ['mcp_servers', 'quarry'],
    entry: plain,
    next: 'start codex in this trusted project; /mcp shows it',
  },
  zed: {
    title: 'Zed',
    project: null,
    user: '.config/zed/settings.json',
    format: 'json',
    path: ['context_servers', 'quarry'],
    entry: plain,
    next: 'the settings of the agent panel show it',
  },
  gemini: {
    title: 'Gemini CLI',
    project: '.gemini/settings.json',
    user: '.gemini/settings.json',
    format: 'json',
    path: ['mcpServers', 'quarry'],
    entry: plain,
    next: 'start gemini here; /mcp shows it',
  },
}

function userFileOfCode(): string {
  if (process.platform === 'darwin') return 'Library/Application Support/Code/User/mcp.json'
  return process.platform === 'win32' ? 'AppData/Roaming/Code/User/mcp.json' : '.config/Code/User/mcp.json'
}
