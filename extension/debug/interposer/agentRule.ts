import path from 'node:path';

/** A rule of debugpy's that files are stepped over, or not. The first that matches decides. */
export interface SteppingRule {
  readonly path?: string;
  readonly module?: string;
  readonly include: boolean;
}

// debugpy matches each part of a path by fnmatch, where a bracket quotes a special character.
const literal = (text: string) => text.replace(/[[*?]/g, '[$&]');

/** Keeps the agent out of stepping, stacks and exception breakpoints; the user's own rules stay. */
export function withAgentRule(rules: unknown, agentDir: string): readonly unknown[] {
  const agent: SteppingRule = { path: path.join(literal(agentDir), '**'), include: false };
  return [agent, ...(Array.isArray(rules) ? rules : [])];
}
