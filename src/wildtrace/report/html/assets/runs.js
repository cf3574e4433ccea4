// Where the numbers come from: one entry a scores file, with all of its provenance.

function runEntry(run) {
  const { provenance } = run;
  const facts = [
    provenance.condition && `condition ${provenance.condition}`,
    provenance.cap_source && `cap from ${provenance.cap_source}`,
    provenance.signature && provenance.signature.digest && `signature ${String(provenance.signature.digest).slice(0, 16)}`,
    provenance.started && `started ${provenance.started}`,
  ].filter(Boolean);
  const words = `${run.model}${facts.length ? ': ' + facts.join(', ') : ''}`;
  return folded(words, show(el('p', { class: 'facts' }), run.file), prose(JSON.stringify(provenance, null, 1)));
}

function drawRuns() {
  const none = 'These scores come from a matrix, which does not say how they were made.';
  const entries = payload.runs.length ? payload.runs.map(runEntry) : [el('p', { class: 'hint', text: none })];
  document.getElementById('runs-list').replaceChildren(...entries);
}
