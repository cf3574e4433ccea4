// The data blocks of this file: one of plain JSON, read now, and packed ones, opened when they are needed.

const payload = JSON.parse(document.getElementById('payload').textContent);
const wholePage = new Promise((done) => {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', done);
  else done();
});

async function unpack(id) {
  if (!document.getElementById(id)) await wholePage;
  const text = document.getElementById(id).textContent;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
}
