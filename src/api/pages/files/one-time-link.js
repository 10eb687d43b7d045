// Takes the token out of the address and out of the history, and leaves it in the form.
const token = location.hash.slice(1)
if (token !== '') {
  document.getElementById('token').value = token
  history.replaceState(null, '', location.pathname)
}
