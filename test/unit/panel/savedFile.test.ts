import { beforeEach, describe, expect, it, vi } from 'vitest';

const dialog = vi.fn();
const written = vi.fn();

vi.mock('vscode', () => ({
  Uri: { joinPath: (...parts: string[]) => parts.join('/'), file: (path: string) => path },
  window: { showSaveDialog: dialog },
  workspace: { workspaceFolders: [{ uri: '/home/ada' }], fs: { writeFile: written } },
}));

const { fileNameFor, saveFile } = await import('../../../extension/views/panel/savedFile');

describe('the name of a saved file', () => {
  it.each([
    ['blocks.2.norm1', 'svg', 'blocks.2.norm1.svg'],
    ['../../etc/passwd', 'csv', 'etc-passwd.csv'],
    ['a:b*c?"<>|', 'png', 'a-b-c.png'],
    ['梯度 norm', 'html', '梯度-norm.html'],
    ['...', 'png', 'normscope.png'],
    ['x'.repeat(300), 'png', `${'x'.repeat(100)}.png`],
  ] as const)('of %s holds nothing that a platform forbids', (name, as, expected) => {
    expect(fileNameFor(name, as)).toBe(expected);
  });
});

describe('saving', () => {
  beforeEach(() => {
    dialog.mockReset();
    written.mockReset();
  });

  it('writes where the person says', async () => {
    dialog.mockResolvedValue('/elsewhere/chart.png');
    await saveFile('chart', 'png', Uint8Array.of(1, 2));
    expect(dialog.mock.calls[0]?.[0]).toMatchObject({
      defaultUri: '/home/ada/chart.png',
      filters: { PNG: ['png'] },
    });
    expect(written).toHaveBeenCalledWith('/elsewhere/chart.png', Uint8Array.of(1, 2));
  });

  it('writes nothing when the person does not', async () => {
    dialog.mockResolvedValue(undefined);
    await saveFile('chart', 'png', Uint8Array.of(1));
    expect(written).not.toHaveBeenCalled();
  });
});
