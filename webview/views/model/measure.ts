const ruler = document.createElement('canvas').getContext('2d');

/** Width of a text as charts write it, in CSS pixels. */
export const measureIn =
  (font: string) =>
  (words: string): number => {
    if (!ruler) return 0;
    ruler.font = `11px ${font}`;
    return ruler.measureText(words).width;
  };
