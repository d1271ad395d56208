import type { TextOptions } from './options';

const CHINESE = {
  'from {0} of {1}': '取自 {1} 中的 {0} 个',
  empty: '空',
  'no data ({0})': '无数据（{0}）',
  disposed: '已释放',
  'values not read ({0})': '未读取数值（{0}）',
  'too large to copy from its device': '太大，无法从设备复制',
  'not numbers': '不是数值',
  'dead {0}/{1}': '失活 {0}/{1}',
} as const;

export type Word = keyof typeof CHINESE;

/** A word in the person's language, with `{0}`, `{1}` … replaced. */
export function wordIn({ language }: TextOptions, english: Word, ...args: string[]): string {
  const text: string = language === 'zh-cn' ? CHINESE[english] : english;
  return text.replace(/\{(\d)\}/g, (_, index: string) => args[Number(index)] ?? '');
}
