/** Last part of a path of any platform: the process may run on another one than the editor. */
export function fileNameOf(path: string): string {
  return (
    path
      .split(/[\\/]/)
      .filter((part) => part !== '')
      .at(-1) ?? path
  );
}
