/** Names of the tools that need no key: they read nothing of the network. */
export const PUBLIC_TOOLS: ReadonlySet<string> = new Set(['get_adcp_capabilities', 'list_creative_formats']);
