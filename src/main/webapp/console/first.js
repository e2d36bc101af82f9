// Not a module, so that it runs before the first paint: a user of the dark theme never sees a white page.
document.documentElement.dataset.theme = localStorage.getItem('readpast.theme') ?? 'system';
