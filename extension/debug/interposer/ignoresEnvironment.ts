/** Flags of the interpreter that make it ignore `PYTHONPATH`: -E, -I, alone or among others. */
const IGNORES_ENVIRONMENT = /^-(?!-)[a-zA-Z]*[EI]/;

/** Whether the Python of a launch does not see what is put into its environment. */
export function ignoresEnvironment(args: Readonly<Record<string, unknown>>): boolean {
  const flags = [args.python, args.pythonArgs].flat();
  return flags.some((flag) => typeof flag === 'string' && IGNORES_ENVIRONMENT.test(flag));
}
