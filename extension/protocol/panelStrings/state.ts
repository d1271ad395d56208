/** Texts of what the panel says when there is nothing to draw. */
export type StateStringKey =
  | 'connecting'
  | 'noRunTitle'
  | 'noRunText'
  | 'debugCurrentFile'
  | 'addConfiguration'
  | 'startingTitle'
  | 'startingText'
  | 'waitingTitle'
  | 'waitingText'
  | 'noLayerTitle'
  | 'noLayerText'
  | 'noStepTitle'
  | 'noStepText'
  | 'failed';
