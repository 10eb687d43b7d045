// Moves the token from the address and the history into the form.
const field = document.getElementById('token')
const token = location.hash.slice(1)
if (token !== '') {
  field.value = token
  history.replaceState(null, '', location.pathname)
}

// Shows what the link is for; the form also works without a response.
const about = document.getElementById('about')
if (about && field.value !== '') describe().catch(() => undefined)

async function describe() {
  const answer = await fetch(about.dataset.from, { method: 'POST', body: new URLSearchParams({ token: field.value }) })
  const { about: words, ended } = await answer.json()
  about.textContent = words
  document.querySelector('form').hidden = ended
}
