import { text } from '../../strings';

/** Where the charts will be, until the first answer is there; in words only if that takes long. */
export function Skeleton() {
  return (
    <main class="main skeleton" aria-busy="true">
      <p class="late" role="status">
        {text('connecting')}
      </p>
      {['a', 'b', 'c', 'd'].map((key) => (
        <div key={key} class="blank" aria-hidden="true" />
      ))}
    </main>
  );
}
