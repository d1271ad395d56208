/** Puts arguments into a message, in the person's language where the host has it. */
export type Translate = (message: string, ...args: string[]) => string;

export const english: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (whole, index: string) => args[Number(index)] ?? whole);

/** Why there is no adapter (any more). */
export type UpstreamEnd =
  | { readonly kind: 'no-python'; readonly python: string; readonly detail: string }
  | { readonly kind: 'no-debugpy'; readonly python: string }
  | { readonly kind: 'died'; readonly python: string; readonly detail: string }
  | { readonly kind: 'silent'; readonly python: string; readonly seconds: number }
  | { readonly kind: 'unreachable'; readonly address: string; readonly detail: string }
  | { readonly kind: 'closed'; readonly address: string };

/** A command as the person would type it. */
export const commandName = (command: readonly string[]) =>
  command.map((part, index) => (index === 0 ? `"${part}"` : part)).join(' ');

/** What happened and what to do, in one sentence. */
export function upstreamSentence(end: UpstreamEnd, t: Translate): string {
  switch (end.kind) {
    case 'no-python':
      return t(
        'Python could not be started as {0} ({1}): choose an interpreter or set "python" in the launch configuration.',
        end.python,
        end.detail,
      );
    case 'no-debugpy':
      return t(
        'This Python has no debugpy, which debugging needs: run {0} -m pip install debugpy',
        end.python,
      );
    case 'died':
      return t(
        'The debug adapter of {0} stopped unexpectedly ({1}): start the session again.',
        end.python,
        end.detail,
      );
    case 'silent':
      return t(
        'The debug adapter of {0} did not answer within {1} seconds: start the session again, or choose another interpreter.',
        end.python,
        String(end.seconds),
      );
    case 'unreachable':
      return t(
        'No debug adapter answers at {0} ({1}): start the program with debugpy.listen or "python -m debugpy --listen" first, then attach.',
        end.address,
        end.detail,
      );
    case 'closed':
      return t(
        'The connection to the debug adapter at {0} was closed: the program ended or the network failed.',
        end.address,
      );
  }
}

export const programMissing = (program: string, t: Translate) =>
  t('The program {0} does not exist: correct "program" in the launch configuration.', program);

export const folderMissing = (folder: string, t: Translate) =>
  t('The working folder {0} does not exist: correct "cwd" in the launch configuration.', folder);

export const injectionFailed = (detail: string, t: Translate) =>
  t(
    'Norm capture could not be started in the attached process ({0}): debugging goes on without it; launch the program instead to capture.',
    detail,
  );

export const requestUnsupported = (command: string, t: Translate) =>
  t('The Python debugger cannot do "{0}".', command);

export const requestTooLong = (command: string, t: Translate) =>
  t('The "{0}" request is longer than the Python debugger can take (16 MiB).', command);

export const requestFailed = (command: string, detail: string, t: Translate) =>
  t('NormScope could not handle "{0}" ({1}): start the session again.', command, detail);

export const childNotStarted = (name: string, detail: string, t: Translate) =>
  t('{0} is not debugged ({1}); it runs on without a debugger.', name, detail);

export const sessionOver = (t: Translate) => t('The debug session is over.');
